"""Words: tokens, stems, and how rare they are."""
