"""The chapter *Random pivots and volumes*."""
