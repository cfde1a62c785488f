module battlebots

go 1.19
