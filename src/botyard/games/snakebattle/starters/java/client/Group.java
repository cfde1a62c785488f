package client;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

/** Elements that belong together. */
public final class Group {
    public static final Set<Element> FOOD =
            Collections.unmodifiableSet(
                    EnumSet.of(Element.APPLE, Element.GOLD, Element.FURY_PILL, Element.FLYING_PILL));
    public static final Set<Element> FREE = where(element -> element == Element.NONE || FOOD.contains(element));
    public static final Set<Element> MY_HEADS =
            where(element -> element.name().startsWith("HEAD_") && element != Element.HEAD_DEAD);
    public static final Set<Element> MY_BODY = where(element -> element.name().startsWith("BODY_"));
    public static final Set<Element> MY_TAILS = where(element -> element.name().startsWith("TAIL_"));
    public static final Set<Element> MY_SNAKE = where(Element::isMine);
    public static final Set<Element> ENEMY_HEADS =
            where(element -> element.name().startsWith("ENEMY_HEAD_") && element != Element.ENEMY_HEAD_DEAD);
    public static final Set<Element> ENEMY_BODY = where(element -> element.name().startsWith("ENEMY_BODY_"));
    public static final Set<Element> ENEMY_TAILS = where(element -> element.name().startsWith("ENEMY_TAIL_"));
    public static final Set<Element> ENEMY_SNAKES = where(Element::isEnemy);
    public static final Set<Element> BARRIERS =
            Collections.unmodifiableSet(
                    EnumSet.of(
                            Element.WALL,
                            Element.START_FLOOR,
                            Element.ENEMY_HEAD_SLEEP,
                            Element.ENEMY_TAIL_INACTIVE,
                            Element.TAIL_INACTIVE));

    private Group() {}

    private static Set<Element> where(Predicate<Element> fits) {
        Set<Element> group = EnumSet.noneOf(Element.class);
        Arrays.stream(Element.values()).filter(fits).forEach(group::add);
        return Collections.unmodifiableSet(group);
    }
}
