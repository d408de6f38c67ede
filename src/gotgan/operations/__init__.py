"""Operations: the schedule and its results, setup, settings, events and costs."""
