"""Pages on somebody's own machine: films, live matches, and seats for people. Nobody else can read or steer them."""
