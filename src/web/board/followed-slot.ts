import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { dateOf, type LocalDate, mondayOf } from '../../domain/local-time.ts'
import { slotIdOf, useOffered } from '../slots/offered.ts'
import { type BoardSearch, isWeekIn } from './board-search.ts'

type Place = Pick<BoardSearch, 'date' | 'instructor'>

const route = getRouteApi('/')

type FollowedSlotProps = {
  readonly date: LocalDate
  readonly search: BoardSearch
  /** Called if the code cannot be fetched. */
  readonly onClose: () => void
}

/** Shows the day of the offered time that is chosen or pointed at, and the former day once the search has ended. */
export default function FollowedSlot({ date, search: { view, instructor } }: FollowedSlotProps) {
  const offered = useOffered()
  const navigate = route.useNavigate()
  const former = useRef<Place>(undefined)
  const slot = offered?.slots.find((one) => slotIdOf(one) === offered.current)
  const now = useRef({ date, view, instructor })
  now.current = { date, view, instructor }
  const go = useCallback(
    (place: Place) => void navigate({ search: (before) => ({ ...before, ...place }), replace: true }),
    [navigate],
  )
  const id = slot && slotIdOf(slot)
  const start = slot?.start_at
  const teacher = slot?.instructor_id
  useEffect(() => {
    if (id === undefined || start === undefined) return
    const { view, date, instructor } = now.current
    const day = dateOf(start)
    const isSameDay = isWeekIn({ view }) ? mondayOf(day) === mondayOf(date) : day === date
    const isSamePerson = view !== 'week' || instructor === teacher
    if (!isSameDay || !isSamePerson) {
      former.current ??= { date, instructor }
      go({ date: day, ...(view === 'week' && { instructor: teacher }) })
    }
    return onceShown(id)
  }, [id, start, teacher, go])
  useEffect(() => () => void (former.current && go(former.current)), [go])
  return null
}

/** Scrolls to an offered time once the board has drawn it. Returns the function that stops waiting. */
function onceShown(id: string): () => void {
  const frames = { next: 0, left: 60 }
  const look = () => {
    const block = document.querySelector(`[data-slot="${CSS.escape(id)}"]`)
    block?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    frames.left -= 1
    if (!block && frames.left > 0) frames.next = requestAnimationFrame(look)
  }
  frames.next = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frames.next)
}
