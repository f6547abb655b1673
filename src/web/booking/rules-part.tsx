import type { LessonDraft } from '../lessons/verdict.ts'
import type { SlotPlace } from '../slots/offered.ts'
import type { LessonForm } from './form.ts'
import { RepeatFields } from './repeat-fields.tsx'
import css from './rules-part.module.css'
import { SeriesPreview } from './series-preview.tsx'
import type { Booking } from './use-booking.ts'
import type { SeriesInForm } from './use-series.ts'
import { useWarningMessages } from './use-warning-messages.ts'
import { VerdictPanel } from './verdict-panel.tsx'
import { WarningNotice } from './warning-notice.tsx'

type RulesPartProps = { readonly booking: Booking; readonly onPick: (place: SlotPlace) => void }

/** The verdict on the form: on one lesson, or on each date of a series. */
export function RulesPart({ booking, onPick }: RulesPartProps) {
  const { form, draft, missing, seen, finder, series, localVerdict, refusal, isAsked } = booking
  const { verdict, lessons } = localVerdict
  // No rule checks the location, but there may be too little time to travel.
  const isElsewhere = seen !== undefined && form.location_id !== seen.location_id
  const warnings = useWarningMessages(draft, (isAsked || isElsewhere) && !missing, lessons)
  const isJudged = isAsked && !finder.isSearching && !series.isPreviewed
  return (
    <>
      {!seen && !finder.several.isKeeping && <SeriesPart {...{ series, form, draft }} />}
      {isJudged ? (
        <div className={css.verdict}>
          <VerdictPanel {...{ draft, missing, verdict, refusal, lessons, warnings }} onPick={onPick} />
        </div>
      ) : (
        <WarningNotice warnings={warnings} />
      )}
    </>
  )
}

type SeriesPartProps = {
  readonly series: SeriesInForm
  readonly form: LessonForm
  readonly draft: LessonDraft
}

function SeriesPart({ series, form, draft }: SeriesPartProps) {
  return (
    <>
      <RepeatFields form={form} repeat={series.repeat} last={series.last} onChange={series.setRepeat} />
      {series.isPreviewed && <SeriesPreview series={series} draft={draft} />}
    </>
  )
}
