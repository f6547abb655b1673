import type { Draft } from '../verdict.ts'
import type { LessonForm } from './form.ts'
import { RepeatFields } from './repeat-fields.tsx'
import { SeriesPreview } from './series-preview.tsx'
import type { SeriesInForm } from './use-series.ts'

type SeriesPartProps = {
  readonly series: SeriesInForm
  readonly form: LessonForm
  readonly draft: Draft
}

export function SeriesPart({ series, form, draft }: SeriesPartProps) {
  return (
    <>
      <RepeatFields form={form} repeat={series.repeat} onChange={series.setRepeat} />
      {series.isPreviewed && <SeriesPreview series={series} draft={draft} />}
    </>
  )
}
