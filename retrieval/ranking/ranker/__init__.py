"""The learned ranker: boosted trees and neural nets over features of query and candidate, as data of the package."""
