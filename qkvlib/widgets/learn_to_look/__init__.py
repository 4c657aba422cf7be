"""One query learns where to look, while the learner can move its three weight matrices."""
