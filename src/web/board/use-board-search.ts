import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useSchool } from '../ui/school.tsx'
import { type BoardSearch, boardSearchIn } from './board-search.ts'

/** The stored view: kind and ids, no personal data, and no date, so that it starts at today. */
type ChosenView = Pick<BoardSearch, 'view' | 'instructor' | 'show'>

const route = getRouteApi('/')
const KEY = 'fahrplan.board.'

/** Returns the board's address and the function to change it. Without parameters it restores the user's last view. */
export function useBoardSearch(): {
  readonly search: BoardSearch
  readonly go: (change: Partial<BoardSearch>) => void
} {
  const { user } = useSchool()
  const asked = route.useSearch()
  const navigate = route.useNavigate()
  const [last, setLast] = useState(() => (isBare(asked) ? readLastView(user.id) : undefined))
  const search = last && isBare(asked) ? last : asked
  useEffect(() => {
    if (!last) return
    if (isBare(asked) && !isBare(last)) void navigate({ search: last, replace: true })
    else setLast(undefined)
  }, [asked, last, navigate])

  const go = useCallback(
    (change: Partial<BoardSearch>) => {
      void navigate({ search: (before) => ({ ...before, ...change }) })
      const isView = 'view' in change || 'instructor' in change || 'show' in change
      if (isView) storeView(user.id, { ...search, ...change })
    },
    [navigate, search, user.id],
  )
  return { search, go }
}

function isBare(search: BoardSearch): boolean {
  return Object.values(search).every((value) => value === undefined)
}

function storeView(userId: string, { view, instructor, show }: ChosenView): void {
  localStorage.setItem(KEY + userId, JSON.stringify({ view, instructor, show }))
}

/** Reads the stored view, possibly of another version or edited by hand. */
function readLastView(userId: string): ChosenView | undefined {
  try {
    const { view, instructor, show } = boardSearchIn(JSON.parse(localStorage.getItem(KEY + userId) ?? '{}'))
    return { view, instructor, show }
  } catch {
    return undefined
  }
}
