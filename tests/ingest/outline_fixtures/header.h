#ifndef SHAPES_HEADER_H
#define SHAPES_HEADER_H

#include <memory>

namespace shapes {

class Circle;

/// A point.
struct Point {
  double x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

class Shape {
 public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

}  // namespace shapes

#endif  // SHAPES_HEADER_H
