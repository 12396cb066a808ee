#!/usr/bin/env ruby
# frozen_string_literal: true

require "json"
require_relative "shop/item"

module Shop
  VERSION = "1.2.0"
  autoload :Cart, "shop/cart"

  # An order.
  #
  # It has lines.
  class Order < Base::Record
    include Comparable
    extend Forwardable

    LIMITS = {
      low: 1,
      high: 10
    }.freeze
    STATES = %i[open closed].freeze

    attr_reader :lines, :total
    attr_accessor :note
    delegate :name, to: :user

    Line = Struct.new(:item, :count) do
      def price
        item.price * count
      end
    end

    class << self
      # Finds one.
      def find(id)
        new(id)
      end

      private

      def cache = @cache ||= {}
    end

    def self.build(**options, &block)
      order = new(options)
      yield order if block
      order
    end

    def initialize(id, total: 0)
      @id = id
    end

    def <=>(other) = total <=> other.total

    def [](index)
      lines[index]
    end

    def paid?
      @paid
    end

    def note=(text)
      @note = text
    end

    alias_method :size, :count
    alias to_s inspect

    define_method(:reset) do |hard = false|
      @lines = []
    end

    scope :open, -> { where(state: "open") }

    protected

    def secret; end

    private

    def hidden(a, *rest)
      rest.each do |each|
        puts each
      end
    end

    private def inline
      1
    end

    public

    def shown
    end

    private_class_method def self.internal
    end
  end

  class Error < StandardError; end
  Missing = Class.new(Error)
end

class Shop::Order::Printer
  def print(order) = puts(order)
end

def helper(x)
  x + 1
end

if __FILE__ == $0
  puts helper(1)
end
puts "done"
puts "really"
