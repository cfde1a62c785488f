// A bot for Snakepit: the shortest way to the pellet, but never into a corner.
//
// It is started as `agent HOST PORT ID`, connects, keeps its own map from what it is told, and answers every `mov` with
// one letter: r, l, u or d.
package main

import (
	"bufio"
	"fmt"
	"log"
	"net"
	"os"
	"strconv"
	"strings"
)

// cell counts from 1,1 at the top left.
type cell struct{ x, y int }

const letters = "rlud"

var steps = [4]cell{{1, 0}, {-1, 0}, {0, -1}, {0, 1}}

func (c cell) beside(direction int) cell {
	return cell{c.x + steps[direction].x, c.y + steps[direction].y}
}

// pit is the board as it was told so far.
type pit struct {
	own    int
	size   cell
	pellet cell
	snakes map[int][]cell // by id, head first
	moved  map[int]bool   // the snakes that moved since the last question: all others are dead
}

func (p *pit) hear(line string) {
	var id int
	var at, left cell
	switch strings.Fields(line)[0] {
	case "bi":
		fmt.Sscanf(line, "bi %d,%d", &p.size.x, &p.size.y)
	case "p":
		fmt.Sscanf(line, "p %d,%d", &p.pellet.x, &p.pellet.y)
	case "si":
		fmt.Sscanf(line, "si %d %d,%d", &id, &at.x, &at.y)
		p.snakes[id] = append(p.snakes[id], at)
	case "s":
		fmt.Sscanf(line, "s %d %d,%d,%d,%d", &id, &at.x, &at.y, &left.x, &left.y)
		body := append([]cell{at}, p.snakes[id]...)
		if left.x != -1 { // otherwise it grows, and its tail stays
			body = body[:len(body)-1]
		}
		p.snakes[id] = body
		p.moved[id] = true
	}
}

// bury takes dead snakes off the map: every living snake has moved.
func (p *pit) bury() {
	if len(p.moved) == 0 {
		return
	}
	for id := range p.snakes {
		if !p.moved[id] {
			delete(p.snakes, id)
		}
	}
	p.moved = map[int]bool{}
}

func (p *pit) inside(c cell) bool {
	return c.x >= 1 && c.x <= p.size.x && c.y >= 1 && c.y <= p.size.y
}

// spread gives the distances from a cell through free ones, until so many are found.
func (p *pit) spread(start cell, taken map[cell]bool, most int) map[cell]int {
	found, queue := map[cell]int{start: 0}, []cell{start}
	for len(queue) > 0 && len(found) < most {
		at := queue[0]
		queue = queue[1:]
		for direction := range steps {
			there := at.beside(direction)
			if _, known := found[there]; !known && !taken[there] && p.inside(there) {
				found[there] = found[at] + 1
				queue = append(queue, there)
			}
		}
	}
	return found
}

// decide is the place to make the bot better: the direction that costs least is taken.
func (p *pit) decide() int {
	const far = 1 << 20
	body := p.snakes[p.own]
	taken, met := map[cell]bool{}, map[cell]bool{}
	for id, snake := range p.snakes {
		for _, at := range snake {
			taken[at] = true
		}
		for direction := range steps {
			if id != p.own {
				met[snake[0].beside(direction)] = true
			}
		}
	}
	ways := p.spread(p.pellet, taken, p.size.x*p.size.y)
	best, least := 0, 100*far
	for direction := range steps {
		there := body[0].beside(direction)
		cost, reachable := ways[there]
		if !reachable {
			cost = far
		}
		if met[there] {
			cost += 2 * far
		}
		if taken[there] || !p.inside(there) {
			cost += 20 * far
		} else if len(p.spread(there, taken, len(body))) < len(body) {
			cost += 5 * far // no room to turn round
		}
		if cost < least {
			best, least = direction, cost
		}
	}
	return best
}

func main() {
	if len(os.Args) != 4 {
		log.Fatalf("usage: %s HOST PORT ID", os.Args[0])
	}
	link, err := net.Dial("tcp", net.JoinHostPort(os.Args[1], os.Args[2]))
	if err != nil {
		log.Fatal(err)
	}
	own, err := strconv.Atoi(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	p := pit{own: own, snakes: map[int][]cell{}, moved: map[int]bool{}}
	lines := bufio.NewScanner(link)
	for lines.Scan() && lines.Text() != "quit" {
		if lines.Text() != "mov" {
			p.hear(lines.Text())
			continue
		}
		p.bury()
		fmt.Fprintf(link, "%c", letters[p.decide()]) // one byte, no line end
	}
}
