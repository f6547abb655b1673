import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { asksTheRules } from '../../domain/booking.ts'
import { FormDialog } from '../dialogs/form-dialog.tsx'
import { useJudgement } from '../lessons/use-week.ts'
import { missingIn } from '../lessons/verdict.ts'
import type { Place } from '../slots/offered.ts'
import { Notice } from '../ui/notice.tsx'
import { isLost, problemWords, refusalIn } from '../ui/problem-words.ts'
import { useSchool } from '../ui/school.tsx'
import { FinderPart } from './finder-part.tsx'
import { type BookingStart, changeOf, draftOf, formFor, formOf, type LessonForm } from './form.ts'
import { LessonFields } from './lesson-fields.tsx'
import { SeriesPart } from './series-part.tsx'
import { StalePanel } from './stale-panel.tsx'
import { useFinder } from './use-finder.ts'
import { useSave } from './use-save.ts'
import { useSeries } from './use-series.ts'
import { VerdictPanel } from './verdict-panel.tsx'
import { WarningNotice } from './warning-notice.tsx'

type BookingDialogProps = {
  readonly start: BookingStart
  /** Whether the board is beneath, on which a search shows what it finds. */
  readonly isOnBoard?: boolean
  readonly onBooked: (lesson: Appointment) => void
  readonly onClose: () => void
}

/** Books a lesson or edits one. What is refused keeps the form as it is. */
export default function BookingDialog({ start, isOnBoard = false, onBooked, onClose }: BookingDialogProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [form, setForm] = useState(() => formFor(start, school.lessonTypes))
  const { seen, theirs, error, isBusy, save, take, forgetError } = useSave(start.editing, onBooked, onClose)
  const fill = (next: LessonForm) => {
    setForm(next)
    // What was refused is no longer what is asked for.
    forgetError()
    series.forgetError()
  }
  const finder = useFinder({ start, form, fill, save })
  const draft = draftOf(form, seen?.id)
  const missing = missingIn(draft, school)
  const series = useSeries({
    form,
    isReady: missing === undefined && !finder.isSearching,
    onDone: onClose,
  })
  const { verdict, lessons } = useJudgement(draft, missing !== undefined, form.date || start.date)
  const refusal = refusalIn(error)
  // What was sent and not answered may be on the board already: the rules would find it in its own way.
  const failure = error ?? series.error
  const isUnknown = isLost(failure)
  const isAsked = !seen || missing !== undefined || asksTheRules(changeOf(form, seen), seen)
  const isIncomplete = finder.isWaiting || (missing !== undefined && !finder.isSearching)
  const isBlocked = isIncomplete || series.isBlocked
  const submitWord = t(seen ? 'action.save' : 'booking.submit')
  const submit = useFocusedSubmit()
  const pick = (place: Place) => {
    finder.pick(place)
    submit.focus()
  }

  return (
    <FormDialog
      title={t(seen ? 'booking.editTitle' : 'booking.title')}
      submit={series.isOn ? t('series.submit', { count: series.lessons }) : submitWord}
      size="lg"
      isBeside={isOnBoard && finder.isOpen}
      isBusy={isBusy || series.isBusy || finder.isEager}
      isBlocked={isBlocked || theirs !== undefined}
      onSubmit={series.isOn ? series.save : finder.send}
      onClose={onClose}
    >
      <LessonFields
        form={form}
        onChange={finder.fillIn}
        isNew={seen === undefined}
        finder={
          <FinderPart
            finder={finder}
            isPossible={missing === undefined && !refusal && verdict?.refusals.length === 0}
            onPick={pick}
          />
        }
        verdict={
          <>
            <span ref={submit.near} hidden />
            {!seen && <SeriesPart {...{ series, form, draft }} />}
            {isAsked && !isUnknown && !finder.isSearching && !series.isPreviewed && (
              <VerdictPanel {...{ draft, missing, verdict, refusal, lessons }} onPick={pick} />
            )}
            {isAsked && !isUnknown && !missing && <WarningNotice draft={draft} />}
          </>
        }
      />
      {failure && !refusal && !theirs && (
        <Notice kind="bad" title={t('booking.notSaved')} isAnswer>
          {problemWords(failure, t)}
        </Notice>
      )}
      {theirs && seen && (
        <StalePanel
          {...{ seen, theirs, form }}
          onKeep={(kept) => {
            setForm(kept)
            save(kept, theirs)
          }}
          onTakeTheirs={() => {
            setForm(formOf(theirs))
            take(theirs)
          }}
        />
      )}
    </FormDialog>
  )
}

/** Gives the focus to the button that sends the form around `near`, once what has been filled in is drawn: Enter goes on. */
function useFocusedSubmit() {
  const near = useRef<HTMLSpanElement>(null)
  const [picks, setPicks] = useState(0)
  useEffect(() => {
    const form = picks > 0 ? near.current?.closest('form') : undefined
    form?.querySelector<HTMLElement>('button[type="submit"]')?.focus()
  }, [picks])
  return { near, focus: () => setPicks((count) => count + 1) }
}
