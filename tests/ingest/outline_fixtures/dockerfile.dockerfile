# syntax=docker/dockerfile:1
ARG GO=1.22
FROM golang:${GO} AS build
WORKDIR /src
RUN go build -o /harbour

# Keeps the boats.
FROM --platform=linux/amd64 alpine:3.20
COPY --from=build /harbour /harbour
RUN sqlite3 /harbour.db "CREATE TABLE boats (id INTEGER PRIMARY KEY, name TEXT)"

CMD ["/harbour"]
