// A bot for BattleBots: steps out of the way of shots, and shoots what stands in line.
//
// It is started anew for every round. The arena is the last argument, the answer is what it prints. Nothing survives a
// round: no variable, no file.
package main

import (
	"fmt"
	"os"
	"strings"
)

type square struct{ x, y int }

var ways = []string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}
var steps = map[string]square{
	"N": {0, -1}, "NE": {1, -1}, "E": {1, 0}, "SE": {1, 1}, "S": {0, 1}, "SW": {-1, 1}, "W": {-1, 0}, "NW": {-1, -1},
}

// Squares that a bullet and a missile fly in a round.
const bulletReach, missileReach = 3, 2

func (s square) moved(way string, far int) square {
	step := steps[way]
	return square{s.x + far*step.x, s.y + far*step.y}
}

func (s square) apart(other square) int {
	dx, dy := abs(s.x-other.x), abs(s.y-other.y)
	if dx > dy {
		return dx
	}
	return dy
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// arena is what the text tells: ten lines of board, then hit points, then every bullet, missile and mine.
type arena struct {
	board     []string
	me, enemy square
	danger    map[square]bool // squares that hurt this round: everything moves first, then the shots fly
}

func read(text string) arena {
	a := arena{danger: map[square]bool{}}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.Contains(line, "=") {
			a.readFact(line)
			continue
		}
		if x := strings.Index(line, "Y"); x >= 0 {
			a.me = square{x, len(a.board)}
		}
		if x := strings.Index(line, "X"); x >= 0 {
			a.enemy = square{x, len(a.board)}
		}
		a.board = append(a.board, line)
	}
	return a
}

func (a *arena) readFact(line string) {
	var at square
	var way string
	if _, err := fmt.Sscanf(line, "L x=%d y=%d", &at.x, &at.y); err == nil {
		a.danger[at] = true
	}
	for kind, reach := range map[string]int{"B": bulletReach, "M": missileReach} {
		if _, err := fmt.Sscanf(line, kind+" x=%d y=%d dir=%s", &at.x, &at.y, &way); err == nil {
			for far := 1; far <= reach; far++ {
				a.danger[at.moved(way, far)] = true
			}
		}
	}
}

func (a arena) inside(s square) bool {
	return s.y >= 0 && s.y < len(a.board) && s.x >= 0 && s.x < len(a.board[0])
}

// aim gives the way to the enemy, if it stands in line.
func (a arena) aim(from square) string {
	for _, way := range ways {
		if from.moved(way, from.apart(a.enemy)) == a.enemy {
			return way
		}
	}
	return ""
}

// decide is the place to make the bot better.
func (a arena) decide() string {
	far := a.me.apart(a.enemy)
	if way := a.aim(a.me); way != "" && !a.danger[a.me] {
		if far == missileReach {
			return "M " + way // nearer, the blast would hurt us too
		}
		if far <= bulletReach {
			return "B " + way
		}
	}
	best, least := "NO", 1<<30
	for _, way := range ways {
		there := a.me.moved(way, 1)
		if !a.inside(there) || there == a.enemy {
			continue
		}
		cost := 10 * abs(there.apart(a.enemy)-missileReach)
		if a.danger[there] {
			cost += 1000
		}
		if a.aim(there) == "" {
			cost++
		}
		if cost < least {
			best, least = way, cost
		}
	}
	return best
}

func main() {
	fmt.Println(read(os.Args[len(os.Args)-1]).decide())
}
