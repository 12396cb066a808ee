"""Object mappers whose models are classes with fields, and whose rows save themselves: Peewee, Tortoise, Piccolo, MongoEngine,
Beanie and Pony.
"""
