import type { Place } from '../slots/offered.ts'
import css from './rules-part.module.css'
import { SeriesPart } from './series-part.tsx'
import type { Booking } from './use-booking.ts'
import { VerdictPanel } from './verdict-panel.tsx'
import { WarningNotice } from './warning-notice.tsx'

type RulesPartProps = { readonly booking: Booking; readonly onPick: (place: Place) => void }

/** What the rules say of the form as it stands: of one lesson, or of each date of a series. */
export function RulesPart({ booking, onPick }: RulesPartProps) {
  const { form, draft, missing, seen, finder, series, judgement, refusal, isAsked } = booking
  const { verdict, lessons } = judgement
  return (
    <>
      {!seen && <SeriesPart {...{ series, form, draft }} />}
      {isAsked && !finder.isSearching && !series.isPreviewed && (
        <div className={css.verdict}>
          <VerdictPanel {...{ draft, missing, verdict, refusal, lessons }} onPick={onPick} />
        </div>
      )}
      {isAsked && !missing && <WarningNotice draft={draft} />}
    </>
  )
}
