import { type RefObject, useEffect, useRef, useState } from 'react'
import { selectWhole } from './whole-text.ts'

export type Option = {
  readonly value: string
  readonly label: string
  /** Distinguishes options with the same name. */
  readonly hint?: string | null
  /** Another name by which the option is found. */
  readonly code?: string
  /** The heading of the option; hits of a search have none. */
  readonly group?: string
}

type ChoiceOptions = {
  readonly data: readonly Option[]
  readonly value: string | null
  /** Searches for a text, best hits first. */
  readonly search: (text: string) => readonly Option[]
  /** Whether the choice may stay empty. */
  readonly isOptional: boolean
  readonly onChange: (value: string | null) => void
  readonly onTyped: ((text: string) => void) | undefined
}

export type ChoiceState = ReturnType<typeof useChoice>

const MAX_SHOWN = 50
const NONE = -1

type State = {
  /** The typed text; undefined while the field shows the choice. */
  readonly typed: string | undefined
  readonly isOpen: boolean
  /** The index of the hit that Enter takes. */
  readonly marked: number
  /** The option that stays marked when others change; undefined to mark by index. */
  readonly held: string | undefined
  readonly isLeft: boolean
}

/** Returns the state of a search field. A text without a choice stays and is an error of the form. */
export function useChoice(choosing: ChoiceOptions) {
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<State>({
    typed: undefined,
    isOpen: false,
    marked: NONE,
    held: undefined,
    isLeft: false,
  })
  const shown = shownIn(state, choosing)
  const show = (typed: string | undefined, isOpen: boolean) => {
    setState({ typed, isOpen, marked: typed?.trim() ? 0 : NONE, held: undefined, isLeft: false })
    choosing.onTyped?.(typed ?? '')
  }
  const set = (change: Partial<State>) => setState((now) => ({ ...now, ...change }))
  const marked = state.held === undefined ? state.marked : placeIn(shown.hits, state.held)
  useSelectedText(input, state.typed === undefined ? shown.text : undefined)
  useChangesElsewhere(input, choosing.value, () => show(undefined, false))
  return {
    input,
    isOpen: state.isOpen,
    marked,
    ...shown,
    ...takingOf(choosing, show),
    open: () => {
      const isChosen = !shown.isSearching && choosing.value !== null
      set({
        isOpen: true,
        ...(isChosen ? { held: choosing.value } : { marked: shown.isSearching ? 0 : NONE }),
      })
    },
    close: () => set({ isOpen: false }),
    /** Marks the next or previous hit, wrapping around. */
    mark: (step: 1 | -1) => {
      const from = marked === NONE && step === -1 ? 0 : marked
      set({ held: shown.hits[(from + step + shown.hits.length) % shown.hits.length]?.value })
    },
    complain: () => set({ isLeft: true }),
    leave: () => set({ isOpen: false, isLeft: true, ...(!shown.isFaulty && { typed: undefined }) }),
  }
}

function shownIn({ typed, isOpen, isLeft }: State, { data, value, search, isOptional }: ChoiceOptions) {
  const chosen = data.find((one) => one.value === value)
  const text = typed ?? chosen?.label ?? ''
  const isEmpty = text.trim() === ''
  const isFaulty = typed !== undefined && typed !== chosen?.label && !(isEmpty && isOptional)
  const isSearching = typed !== undefined && !isEmpty
  const found = !isOpen ? [] : isSearching ? search(typed) : data
  const hits = found.slice(0, MAX_SHOWN)
  return {
    text,
    hits,
    /** The number of hits that do not fit. */
    more: found.length - hits.length,
    isSearching,
    isFaulty,
    /** Whether to show the error; not while typing. */
    isFaultShown: isFaulty && isLeft,
  }
}

/** Returns the functions that change the text and the choice. */
function takingOf(
  { value, isOptional, onChange }: ChoiceOptions,
  show: (typed: string | undefined, isOpen: boolean) => void,
) {
  return {
    type: (next: string) => {
      show(next, true)
      if (isOptional && next.trim() === '' && value !== null) onChange(null)
    },
    take: (option: Option) => {
      show(undefined, false)
      if (option.value !== value) onChange(option.value)
    },
    /** Reverts the text to the chosen option. */
    giveUp: () => show(undefined, false),
    clear: () => {
      show(undefined, false)
      onChange(null)
    },
  }
}

function placeIn(hits: readonly Option[], value: string): number {
  return hits.findIndex((one) => one.value === value)
}

/** Selects the text while the field has the focus, so that typing replaces it. */
function useSelectedText(input: RefObject<HTMLInputElement | null>, chosenText: string | undefined): void {
  useEffect(() => {
    if (chosenText !== undefined && input.current && document.activeElement === input.current)
      selectWhole(input.current)
  }, [input, chosenText])
}

/** Drops the typed text when the value changes elsewhere, such as by a suggestion or a newly enrolled student. */
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
