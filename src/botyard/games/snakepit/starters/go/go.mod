module snakepit

go 1.19
