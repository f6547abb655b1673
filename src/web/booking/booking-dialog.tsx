import type { TFunction } from 'i18next'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { FreeTime } from '../data/gaps.ts'
import type { SlotPlace } from '../slots/offered.ts'
import { Button } from '../ui/button.tsx'
import { FormDialog } from '../ui/dialogs/form-dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { isFarFromActualTimes, problemMessage } from '../ui/problem-messages.ts'
import { useSchool } from '../ui/school.tsx'
import { FinderPart } from './finder-part.tsx'
import type { BookingStart } from './form.ts'
import { LessonFields } from './lesson-fields.tsx'
import { RulesPart } from './rules-part.tsx'
import { SeveralRefused } from './several-refused.tsx'
import { StalePanel } from './stale-panel.tsx'
import { type Booking, useBooking } from './use-booking.ts'

/** In the same chunk, which has its fields and is fetched ahead. */
export { SeriesChangeDialog } from './series-change-dialog.tsx'

type BookingDialogProps = {
  readonly start: BookingStart
  /** Whether a search can show its results on the board behind the dialog. */
  readonly isOnBoard?: boolean
  readonly onBooked: (lesson: Appointment, sets: readonly string[]) => void
  readonly onClose: () => void
}

/** Books or edits a lesson. After a refusal the form keeps its values. */
export default function BookingDialog({ start, isOnBoard = false, onBooked, onClose }: BookingDialogProps) {
  const { user } = useSchool()
  const { t } = useTranslation()
  const booking = useBooking(start, onBooked, onClose)
  const { form, missing, seen, conflict, finder, series, localVerdict, refusal, failure } = booking
  const isOne = seen === undefined && !series.isOn
  const submit = useFocusedSubmit()
  const pick = (place: SlotPlace) => {
    booking.pick(place)
    submit.focus()
  }
  const gap = user.role === 'instructor' ? undefined : gapIn(booking)
  const isPossible = missing === undefined && !refusal && localVerdict.verdict?.refusals.length === 0

  return (
    <FormDialog
      title={t(seen ? 'booking.editTitle' : 'booking.title')}
      submit={submitText(booking, t)}
      other={
        conflict && <Button onClick={() => booking.takeTheirs(conflict)}>{t('stale.takeTheirs')}</Button>
      }
      size="lg"
      isBeside={isOnBoard && finder.isOpen}
      isBusy={booking.isBusy}
      isBlocked={booking.isBlocked}
      isFilled={booking.isFilled}
      onSubmit={() => send(booking)}
      onClose={onClose}
    >
      {start.isProposed && <Notice kind="open">{t('lessonForm.proposed')}</Notice>}
      <LessonFields
        form={form}
        onChange={booking.fillIn}
        onType={booking.chooseType}
        usualMinutes={booking.usualMinutes}
        isDayFull={booking.isDayFull}
        seen={seen}
        needed={booking.needed}
        finder={<FinderPart {...{ finder, isPossible, isOne, gap }} onChoose={booking.pick} onPick={pick} />}
        verdict={<RulesPart booking={booking} onPick={pick} />}
      />
      <span ref={submit.near} hidden />
      {failure && !refusal && !conflict && (
        <NotSaved error={failure} onWithoutActualTimes={booking.saveWithoutActualTimes} />
      )}
      <SeveralRefused several={finder.several} lessons={localVerdict.lessons} />
      {conflict && <StalePanel conflict={conflict} form={form} />}
    </FormDialog>
  )
}

function send({ conflict, series, finder, keepMine }: Booking): void {
  if (conflict) keepMine(conflict)
  else if (series.isOn) series.save()
  else if (finder.several.isOn) finder.several.save()
  else finder.send()
}

function submitText({ conflict, series, finder, seen }: Booking, t: TFunction): string {
  if (conflict) return t('stale.keepMine')
  if (series.isOn) return t('series.submit', { count: series.lessons })
  const { isOn, lessons } = finder.several
  if (isOn) return t('series.submit', { count: lessons.length })
  return t(seen ? 'action.save' : 'booking.submit')
}

/** Returns the time of a new lesson that has no student yet, which the office may offer as a gap. */
function gapIn({ seen, series, form, draft }: Booking): FreeTime | undefined {
  if (seen || series.isOn || form.student_id !== null || form.attendees.length > 0) return undefined
  const { instructor_id, start_at, end_at } = draft
  return { instructor_id, start_at, end_at }
}

/** Focuses the submit button of the form around `near` after the next render, so that Enter continues. */
function useFocusedSubmit() {
  const near = useRef<HTMLSpanElement>(null)
  const [picks, setPicks] = useState(0)
  useEffect(() => {
    const form = picks > 0 ? near.current?.closest('form') : undefined
    form?.querySelector<HTMLElement>('button[type="submit"]')?.focus()
  }, [picks])
  return { near, focus: () => setPicks((count) => count + 1) }
}

type NotSavedProps = { readonly error: unknown; readonly onWithoutActualTimes: () => void }

/** Explains a failure to save other than a broken rule. Offers to clear the actual times if they are the reason. */
function NotSaved({ error, onWithoutActualTimes }: NotSavedProps) {
  const { t } = useTranslation()
  return (
    <Notice kind="bad" title={t('booking.notSaved')} isAnswer>
      <p>{problemMessage(error, t)}</p>
      {isFarFromActualTimes(error) && (
        <Button onClick={onWithoutActualTimes}>{t('booking.withoutActual')}</Button>
      )}
    </Notice>
  )
}
