import { useTranslation } from 'react-i18next'
import { Finder } from '../slots/finder.tsx'
import type { Place } from '../slots/offered.ts'
import { Button } from '../ui/button.tsx'
import css from './finder-part.module.css'
import type { Finder as Search } from './use-finder.ts'

type FinderPartProps = {
  readonly finder: Search
  /** Whether the times that are filled in are possible. */
  readonly isPossible: boolean
  /** A time of the list was chosen, and one was picked elsewhere. */
  readonly onChoose: (place: Place) => void
  readonly onPick: (place: Place) => void
}

/** The search for a time below the times, and the button that opens it. */
export function FinderPart({ finder, isPossible, onChoose, onPick }: FinderPartProps) {
  const { t } = useTranslation()
  const { isOpen, wish, found, chosen, setWish, toggle } = finder
  return (
    <>
      <Button
        icon="clock"
        className={css.open}
        look={isOpen ? 'chosen' : 'plain'}
        aria-expanded={isOpen}
        onClick={() => toggle(isPossible)}
      >
        {t('find.open')}
      </Button>
      {isOpen && <Finder {...{ wish, found, chosen }} onWish={setWish} onPick={onChoose} onPlace={onPick} />}
    </>
  )
}
