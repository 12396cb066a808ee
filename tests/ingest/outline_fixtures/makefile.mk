# Commands of the harbour.
include common.mk

PORT ?= 5432
SOURCES := $(wildcard *.go) \
  $(wildcard cmd/*.go)
export PGHOST = localhost

define banner
Harbour: $(1)
endef

.PHONY: test clean

all: build

build: $(SOURCES) ## Build the server
	go build \
  -o bin/harbour .

# Empties the tables of the harbour.
clean:
	psql -c 'TRUNCATE boats'

	rm -rf bin
ifeq ($(CI),true)
test: PORT = 1
test: build
	go test ./...
endif

$(BIN)/tool: tool.go
	go build -o $@ $<
