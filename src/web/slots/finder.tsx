import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Slot } from '../../contract/slot.ts'
import { Button } from '../ui/button.tsx'
import page from '../ui/page.module.css'
import { useSchool } from '../ui/school.tsx'
import { Failure } from '../ui/states.tsx'
import { useIsStill } from '../ui/use-is-still.ts'
import css from './finder.module.css'
import { FinderFilters } from './finder-filters.tsx'
import { type OfferedSlots, type SlotPlace, setOffered, slotIdOf } from './offered.ts'
import type { SearchCriteria } from './search-criteria.ts'
import { type SeveralTimes, SlotList } from './slot-list.tsx'
import type { SlotResults } from './use-slots.ts'

/** The number of slots shown at first, and added at a time. */
const FEW = 8

/** Milliseconds: a pointer that only crosses the list does not move the board. */
const REST_MS = 250

type FinderProps = {
  readonly criteria: SearchCriteria
  readonly onCriteria: (change: Partial<SearchCriteria>) => void
  readonly found: SlotResults
  /** The id of the slot in the form, if any. */
  readonly chosen: string
  /** Undefined if only one time can be chosen. */
  readonly several: SeveralTimes | undefined
  readonly onPick: (slot: Slot) => void
  /** Called when a time of the list, or another place, is picked on the board. */
  readonly onPlace: (place: SlotPlace) => void
}

/** The next times for a lesson, in a list and on the board next to it. */
export function Finder({ criteria, onCriteria, found, chosen, several, onPick, onPlace }: FinderProps) {
  const { t } = useTranslation()
  const { slots, same, isCurrent, isAsking, error, isMore, readMore, retry } = found
  const [most, setMost] = useState(FEW)
  const shown = slots?.slice(0, most) ?? NONE
  const [pointed, setPointed] = useState('')
  const isResting = useIsStill(pointed, REST_MS)
  const current = isResting && pointed ? pointed : chosen
  useOnBoard({ slots: shown, chosen: several?.ids ?? [chosen], current }, onPlace)
  const box = useShownAtFirst(shown.some((slot) => slotIdOf(slot) === chosen))
  const isRest = slots !== undefined && (slots.length > most || isMore)
  return (
    <section ref={box} className={css.finder} aria-label={t('find.open')} aria-busy={isAsking}>
      <FinderFilters
        criteria={criteria}
        onCriteria={(change) => {
          setMost(FEW)
          onCriteria(change)
        }}
      />
      {error && !slots && <Failure error={error} retry={retry} />}
      {!error && !slots && <p className={page.dimmed}>{t('slots.searching')}</p>}
      {isCurrent && slots?.length === 0 && <NothingFree until={criteria.until} />}
      {shown.length > 0 && (
        <SlotList {...{ slots: shown, same, chosen, several, onPick }} onPoint={setPointed} />
      )}
      {isRest && (
        <Button
          look="bare"
          icon="chevronDown"
          onClick={() => {
            setMost(most + FEW)
            if (slots.length <= most + FEW && isMore) readMore()
          }}
        >
          {t('slots.more')}
        </Button>
      )}
    </section>
  )
}

const NONE: readonly Slot[] = []

function NothingFree({ until }: Pick<SearchCriteria, 'until'>) {
  const { format } = useSchool()
  const { t } = useTranslation()
  return (
    <p className={page.dimmed} role="status">
      {until === '' ? t('slots.none') : t('slots.noneUntil', { day: format.day(until) })}
    </p>
  )
}

/** Scrolls to the time that the form has taken from the list. Until then, somebody may be choosing a student above it. */
function useShownAtFirst(isTaken: boolean) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isTaken) box.current?.querySelector('input:checked')?.scrollIntoView({ block: 'nearest' })
  }, [isTaken])
  return box
}

/** Shows the listed times on the board too. */
function useOnBoard(offered: Omit<OfferedSlots, 'pick'>, onPlace: (place: SlotPlace) => void): void {
  const now = useRef(onPlace)
  now.current = onPlace
  const shown = JSON.stringify(offered)
  useEffect(() => {
    setOffered({ ...JSON.parse(shown), pick: (place) => now.current(place) })
  }, [shown])
  useEffect(() => () => setOffered(undefined), [])
}
