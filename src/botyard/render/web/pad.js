export function pads() { return null; }
