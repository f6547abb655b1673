import { type RefObject, useEffect, useRef, useState } from 'react'
import { selectWhole } from './choice-keys.ts'

/** One of the things that can be chosen. */
export type Option = {
  readonly value: string
  readonly label: string
  /** Tells two of the same name apart. */
  readonly hint?: string | null
  /** What else it is called by those who type it. */
  readonly code?: string
  /** Under which heading it stands, beside those of the same; a search has no headings. */
  readonly group?: string
}

type Choosing = {
  readonly data: readonly Option[]
  readonly value: string | null
  /** What a text finds, the best first. */
  readonly search: (text: string) => readonly Option[]
  /** Whether it may be left open. */
  readonly isOptional: boolean
  readonly onChange: (value: string | null) => void
  readonly onTyped: ((text: string) => void) | undefined
}

export type Choosable = ReturnType<typeof useChoice>

const MOST_SHOWN = 50
const NONE = -1

/** The state of a field whose value is found by typing. A text that has not become a choice stays, and is a fault of the form. */
export function useChoice({ data, value, search, isOptional, onChange, onTyped }: Choosing) {
  const input = useRef<HTMLInputElement>(null)
  // Nothing while the field shows what is chosen.
  const [typed, setTyped] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const [marked, setMarked] = useState(NONE)
  const [isLeft, setLeft] = useState(false)
  const chosen = data.find((one) => one.value === value)
  const text = typed ?? chosen?.label ?? ''
  const isEmpty = text.trim() === ''
  const isFaulty = typed !== undefined && typed !== chosen?.label && !(isEmpty && isOptional)
  const isSearching = typed !== undefined && !isEmpty
  const found = !isOpen ? [] : isSearching ? search(typed) : data
  const hits = found.slice(0, MOST_SHOWN)
  const show = (next: string | undefined, isShown: boolean) => {
    setTyped(next)
    setOpen(isShown)
    setMarked(next?.trim() ? 0 : NONE)
    setLeft(false)
    onTyped?.(next ?? '')
  }
  useSelectedText(input, typed === undefined ? text : undefined)
  useChangesElsewhere(input, value, () => show(undefined, false))

  return {
    input,
    text,
    hits,
    /** How many more are found than there is room for. */
    more: found.length - hits.length,
    marked,
    isOpen,
    isSearching,
    isFaulty,
    /** A fault is not told to somebody who is still typing. */
    isFaultShown: isFaulty && isLeft,
    open: () => {
      setOpen(true)
      setMarked(isSearching ? 0 : data.slice(0, MOST_SHOWN).findIndex((one) => one.value === value))
    },
    close: () => setOpen(false),
    /** Marks the next hit, or the one before, and begins again at the other end. */
    mark: (step: 1 | -1) => {
      const from = marked === NONE && step === -1 ? 0 : marked
      setMarked((from + step + hits.length) % hits.length)
    },
    type: (next: string) => {
      show(next, true)
      if (isOptional && next.trim() === '' && value !== null) onChange(null)
    },
    take: (option: Option) => {
      show(undefined, false)
      if (option.value !== value) onChange(option.value)
    },
    /** Back to what was chosen. */
    giveUp: () => show(undefined, false),
    clear: () => {
      show(undefined, false)
      onChange(null)
    },
    complain: () => setLeft(true),
    leave: () => {
      setOpen(false)
      setLeft(true)
      if (!isFaulty) setTyped(undefined)
    },
  }
}

/** What is chosen is selected while the field has the focus: typing replaces it. */
function useSelectedText(input: RefObject<HTMLInputElement | null>, chosenText: string | undefined): void {
  useEffect(() => {
    if (chosenText !== undefined && input.current && document.activeElement === input.current)
      selectWhole(input.current)
  }, [input, chosenText])
}

/** Where a suggestion makes the choice, or a person has just been enrolled, what was typed is done with. */
function useChangesElsewhere(
  input: RefObject<HTMLInputElement | null>,
  value: string | null,
  onChanged: () => void,
): void {
  const before = useRef(value)
  useEffect(() => {
    if (before.current === value) return
    before.current = value
    if (document.activeElement !== input.current) onChanged()
  })
}
