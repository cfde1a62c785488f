package client;

import java.util.HashMap;
import java.util.Map;

/** What a cell of the board shows. */
public enum Element {
    NONE(' '),
    WALL('☼'),
    START_FLOOR('#'),
    OTHER('?'),
    APPLE('○'),
    STONE('●'),
    FLYING_PILL('©'),
    FURY_PILL('®'),
    GOLD('$'),

    HEAD_DOWN('▼'),
    HEAD_LEFT('◄'),
    HEAD_RIGHT('►'),
    HEAD_UP('▲'),
    HEAD_DEAD('☻'),
    HEAD_EVIL('♥'),
    HEAD_FLY('♠'),
    HEAD_SLEEP('&'),
    BODY_HORIZONTAL('═'),
    BODY_VERTICAL('║'),
    BODY_LEFT_DOWN('╗'),
    BODY_LEFT_UP('╝'),
    BODY_RIGHT_DOWN('╔'),
    BODY_RIGHT_UP('╚'),
    TAIL_END_DOWN('╙'),
    TAIL_END_LEFT('╘'),
    TAIL_END_UP('╓'),
    TAIL_END_RIGHT('╕'),
    TAIL_INACTIVE('~'),

    ENEMY_HEAD_DOWN('˅'),
    ENEMY_HEAD_LEFT('<'),
    ENEMY_HEAD_RIGHT('>'),
    ENEMY_HEAD_UP('˄'),
    ENEMY_HEAD_DEAD('☺'),
    ENEMY_HEAD_EVIL('♣'),
    ENEMY_HEAD_FLY('♦'),
    ENEMY_HEAD_SLEEP('ø'),
    ENEMY_BODY_HORIZONTAL('─'),
    ENEMY_BODY_VERTICAL('│'),
    ENEMY_BODY_LEFT_DOWN('┐'),
    ENEMY_BODY_LEFT_UP('┘'),
    ENEMY_BODY_RIGHT_DOWN('┌'),
    ENEMY_BODY_RIGHT_UP('└'),
    ENEMY_TAIL_END_DOWN('¤'),
    ENEMY_TAIL_END_LEFT('×'),
    ENEMY_TAIL_END_UP('æ'),
    ENEMY_TAIL_END_RIGHT('ö'),
    ENEMY_TAIL_INACTIVE('*');

    private static final Map<Character, Element> BY_SIGN = new HashMap<>();

    static {
        for (Element element : values()) BY_SIGN.put(element.sign, element);
    }

    private final char sign;

    Element(char sign) {
        this.sign = sign;
    }

    public char sign() {
        return sign;
    }

    /** The element with this sign; a sign that nobody knows is OTHER. */
    public static Element of(char sign) {
        return BY_SIGN.getOrDefault(sign, OTHER);
    }

    /** Whether this is a part of your own snake. */
    public boolean isMine() {
        return name().startsWith("HEAD_") || name().startsWith("BODY_") || name().startsWith("TAIL_");
    }

    /** Whether this is a part of another's snake. */
    public boolean isEnemy() {
        return name().startsWith("ENEMY_");
    }
}
