import React, { Component, PureComponent, createRef } from 'react'
import type { ErrorInfo, ReactNode } from 'react'
import { report } from './reporting'

type Props = { title: string; interval?: number; children?: ReactNode }
type State = { seconds: number; failed: boolean }

/**
 * Counts seconds, and shows what its children threw.
 */
export class Timer extends React.Component<Props, State> {
  static displayName = 'Timer'
  static defaultProps: Partial<Props> = { interval: 1000 }

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true }
  }

  state: State = { seconds: 0, failed: false }
  private timer?: ReturnType<typeof setInterval>
  private readonly root = createRef<HTMLDivElement>()

  constructor(props: Props) {
    super(props)
    this.reset = this.reset.bind(this)
  }

  componentDidMount() {
    this.timer = setInterval(this.tick, this.props.interval)
  }

  componentDidUpdate(previous: Readonly<Props>): void {
    if (previous.interval !== this.props.interval) {
      clearInterval(this.timer)
      this.componentDidMount()
    }
  }

  componentDidCatch(error: Error, info: ErrorInfo) {
    report(error, info.componentStack)
  }

  componentWillUnmount() {
    clearInterval(this.timer)
  }

  tick = () => {
    this.setState(({ seconds }) => ({ seconds: seconds + 1 }))
  }

  reset(event?: React.MouseEvent<HTMLButtonElement>) {
    event?.preventDefault()
    this.setState({ seconds: 0 })
  }

  render() {
    const { title, children } = this.props
    if (this.state.failed) return <p role="alert">{title} failed</p>
    return (
      <div ref={this.root}>
        <h2>{title}</h2>
        <output>{this.state.seconds} s</output>
        <button
          onClick={(event) => {
            this.reset(event)
          }}
        >
          Reset
        </button>
        {children}
      </div>
    )
  }
}

class Label extends PureComponent<{ text: string }> {
  override render() {
    return <span>{this.props.text}</span>
  }
}

export const withLabel = (text: string) =>
  class Labelled extends Component<{ children?: ReactNode }> {
    render() {
      return (
        <label>
          <Label text={text} />
          {this.props.children}
        </label>
      )
    }
  }

export default Timer
