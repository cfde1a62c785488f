"""The pages, grouped by what they are about; each module lists its routes as `PAGES`."""
