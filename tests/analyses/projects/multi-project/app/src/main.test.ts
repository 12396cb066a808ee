import "./main"
