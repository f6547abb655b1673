import { useTranslation } from 'react-i18next'
import type { FreeTime } from '../data/gaps.ts'
import { GapButton } from '../gaps/gap-button.tsx'
import { ChosenTimes } from '../slots/chosen-times.tsx'
import { Finder } from '../slots/finder.tsx'
import { type SlotPlace, slotIdOf } from '../slots/offered.ts'
import { Button } from '../ui/button.tsx'
import layout from '../ui/layout.module.css'
import type { FinderState as Search } from './use-finder.ts'

type FinderPartProps = {
  readonly finder: Search
  /** Whether the entered times are possible. */
  readonly isPossible: boolean
  /** Whether the form books one lesson, so that further times may be added. */
  readonly isOne: boolean
  /** The time without a student that can be offered; undefined if there is none. */
  readonly gap: FreeTime | undefined
  /** Called when a time of the list, or another place, is chosen. */
  readonly onChoose: (place: SlotPlace) => void
  readonly onPick: (place: SlotPlace) => void
}

/** The search below the times, its button and the one for gaps, and the times chosen together. */
export function FinderPart({ finder, isPossible, isOne, gap, onChoose, onPick }: FinderPartProps) {
  const { t } = useTranslation()
  const { isOpen, criteria, found, chosen, several, setCriteria, toggle } = finder
  const times = {
    ids: several.chosen.map(slotIdOf),
    toggle: finder.toggleTime,
    keep: finder.keepTime,
  }
  return (
    <>
      <div className={layout.buttons}>
        <Button
          icon="clock"
          look={isOpen ? 'chosen' : 'plain'}
          aria-expanded={isOpen}
          onClick={() => toggle(isPossible)}
        >
          {t('find.open')}
        </Button>
        {gap && <GapButton gap={gap} isFree={gap.instructor_id !== '' && gap.start_at < gap.end_at} />}
      </div>
      {isOpen && (
        <Finder
          {...{ criteria, found, chosen }}
          several={isOne ? times : undefined}
          onCriteria={setCriteria}
          onPick={onChoose}
          onPlace={(place) => (several.isOn && isTime(place) ? finder.toggleTime(place) : onPick(place))}
        />
      )}
      {several.isKeeping && (
        <ChosenTimes times={several.lessons} refused={several.refused} onRemove={finder.toggleTime} />
      )}
    </>
  )
}

function isTime(place: SlotPlace): place is SlotPlace & { readonly instructor_id: string } {
  return place.instructor_id !== undefined
}
