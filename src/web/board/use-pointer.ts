import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { GridEvent } from './grid-event.ts'
import { type GridActs, GridPointer, type Shown } from './grid-pointer.ts'
import { movedTo, type Surface, spotAt } from './pointer-places.ts'

const COLUMNS: Surface = { spotAt, movedTo }

/** Follows the pointer over a grid. Returns the held lesson or drawn time as an event, and the function that removes it. */
export function usePointer(
  main: RefObject<HTMLElement | null>,
  shown: Shown,
  acts: GridActs,
  surface = COLUMNS,
) {
  const now = useRef({ shown, acts, surface })
  now.current = { shown, acts, surface }
  const [preview, setPreview] = useState<GridEvent>()
  const pointer = useMemo(() => new GridPointer(main, () => now.current, setPreview), [main])
  useEffect(() => pointer.listen(), [pointer])
  return { preview, clear: pointer.clear, onPointerDown: pointer.onPointerDown }
}
