import React, { Component, forwardRef, memo, useCallback, useEffect, useState, type ReactNode } from 'react'
import { fetchUser } from './api'
import './styles.css'

interface Props {
  id: string
  children?: ReactNode
}

export const Card: React.FC<Props> = ({ id, children }) => {
  const [user, setUser] = useState<{ name: string } | null>(null)

  useEffect(() => {
    let stale = false
    fetchUser(id).then((found) => {
      if (!stale) setUser(found)
    })
    return () => {
      stale = true
    }
  }, [id])

  const onClick = useCallback(() => {
    setUser(null)
  }, [])

  if (!user) return null
  return (
    <article onClick={onClick} className="card & shadow">
      <h2>{user.name}</h2>
      {children}
      <button
        onClick={() => {
          onClick()
        }}
      >
        It's {'done'}
      </button>
    </article>
  )
}

export const Input = forwardRef<HTMLInputElement, Props>(function Input(props, ref) {
  return <input ref={ref} id={props.id} />
})

const Row = memo(({ id }: Props) => {
  return <tr key={id} />
})

export class Panel extends Component<Props, { open: boolean }> {
  static defaultProps = { id: 'x' }
  state = { open: false }

  componentDidMount() {
    this.toggle()
  }

  toggle = () => {
    this.setState({ open: !this.state.open })
  }

  render() {
    return (
      <>
        {this.state.open && <Card id={this.props.id}>{this.props.children}</Card>}
        <Row id="1" />
      </>
    )
  }
}

export default function App() {
  return <Panel id="a"><Input id="b" /></Panel>
}

const Settings = React.lazy(() => import('./settings'))

export default memo(
  forwardRef(function Frame(props: Props) {
    return <section>{props.children}</section>
  }),
)
