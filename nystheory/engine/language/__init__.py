"""What a statement is written in: lines, numbers, formulas."""
