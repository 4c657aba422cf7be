__import__("tests.shared_runs", fromlist=["share"]).share()
