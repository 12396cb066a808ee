'use client'

import React, { createContext, forwardRef, lazy, memo, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { PropsWithChildren, ReactNode } from 'react'
import { fetchPlaces, type Place } from './api'
import './places.css'

interface Props {
  city: string
  onSelect?: (place: Place) => void
  children?: ReactNode
}

const ThemeContext = createContext<'light' | 'dark'>('light')

/** Remembers the last value of something that changes with each render. */
export function usePrevious<T>(value: T): T | undefined {
  const ref = useRef<T>()
  useEffect(() => {
    ref.current = value
  }, [value])
  return ref.current
}

/** The places of a city, nearest first. */
export const PlaceList: React.FC<Props> = ({ city, onSelect, children }) => {
  const [places, setPlaces] = useState<Place[]>([])
  const [filter, setFilter] = useState('')
  const theme = useContext(ThemeContext)

  useEffect(() => {
    const controller = new AbortController()
    fetchPlaces(city, controller.signal).then((found) => {
      setPlaces(found)
    })
    return () => {
      controller.abort()
    }
  }, [city])

  const visible = useMemo(() => {
    const wanted = filter.toLowerCase()
    return places.filter((place) => place.name.toLowerCase().includes(wanted))
  }, [places, filter])

  const select = useCallback(
    (place: Place) => {
      onSelect?.(place)
    },
    [onSelect],
  )

  const renderEmpty = () => {
    return <p className="empty">Nothing here, it's quiet & empty</p>
  }

  if (visible.length === 0) return renderEmpty()
  return (
    <section className={`places ${theme}`}>
      <SearchField
        value={filter}
        onChange={(event) => {
          setFilter(event.target.value)
        }}
      />
      <ul>
        {visible.map((place) => (
          <PlaceRow key={place.id} place={place} onClick={() => select(place)} />
        ))}
      </ul>
      {children}
    </section>
  )
}

const SearchField = forwardRef<HTMLInputElement, React.ComponentProps<'input'>>(function SearchField(props, ref) {
  return <input ref={ref} type="search" {...props} />
})

const PlaceRow = memo(({ place, onClick }: { place: Place; onClick: () => void }) => {
  const distance = `${(place.metres / 1000).toFixed(1)} km`
  return (
    <li onClick={onClick}>
      {place.name} <small>{distance}</small>
    </li>
  )
})

export const Card = React.memo(
  React.forwardRef<HTMLDivElement, PropsWithChildren>((props, ref) => {
    return <div ref={ref}>{props.children}</div>
  }),
)

export function withTheme<P extends object>(Inner: React.ComponentType<P>) {
  return function Themed(props: P) {
    return (
      <ThemeContext.Provider value="dark">
        <Inner {...props} />
      </ThemeContext.Provider>
    )
  }
}

export const Map = lazy(() => import('./map'))

const Divider = () => <hr />

const GenericList = <T,>({ items, render }: { items: T[]; render: (item: T) => ReactNode }) => (
  <>
    {items.map(render)}
    <Divider />
  </>
)

/** The page. */
export default function Page({ children }: PropsWithChildren) {
  return (
    <main>
      <Card>{children}</Card>
      <GenericList items={[1, 2]} render={(item) => <b>{item}</b>} />
    </main>
  )
}

PlaceList.displayName = 'PlaceList'
