"""What the yard keeps: tables, transactions, blobs, events."""
