"""Programs that run outside our process: each is started by the module of `jail` or `links` that is its other end."""
