"""Classes and interfaces with annotations of mappers: rows, data access objects and repositories.

Room, JPA, Spring Data, MyBatis-Plus, Micronaut Data and Komapper have such annotations.
"""
