import { Button, Group, Modal, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { refusalWords } from '../board/refusal-words.ts'
import { useWeek } from '../board/use-week.ts'
import { gapOf } from '../board/verdict.ts'
import { Dates } from '../ui/dates.tsx'
import { Notice } from '../ui/notice.tsx'
import { problemWords, refusalIn } from '../ui/problem-words.ts'
import { useSchool } from '../ui/school.tsx'
import { type BookingStart, draftOf, formFor, formOf } from './form.ts'
import { LessonFields } from './lesson-fields.tsx'
import { StalePanel } from './stale-panel.tsx'
import { useSave } from './use-save.ts'
import { VerdictPanel } from './verdict-panel.tsx'

type BookingDialogProps = {
  readonly start: BookingStart
  readonly onBooked: (lesson: Appointment) => void
  readonly onClose: () => void
}

/** Books a lesson or edits one. What is refused keeps the form as it is. */
export default function BookingDialog({ start, onBooked, onClose }: BookingDialogProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const isPhone = useMediaQuery('(max-width: 700px)')
  const [form, setForm] = useState(() => formFor(start, school.lessonTypes))
  const { seen, theirs, error, isBusy, save, take } = useSave(start.editing, onBooked, onClose)
  const draft = draftOf(form, seen?.id)
  const week = useWeek(form.date || start.date)
  const gap = gapOf(draft, school)
  const refusal = refusalIn(error)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!gap && !theirs) void save(form)
  }

  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      fullScreen={isPhone ?? false}
      title={t(seen ? 'booking.editTitle' : 'booking.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Dates>
        <form onSubmit={submit} noValidate>
          <Stack>
            <LessonFields
              form={form}
              onChange={setForm}
              verdict={<VerdictPanel draft={draft} gap={gap} lessons={week.lessons} />}
            />
            {error !== undefined && !theirs && (
              <Notice kind="bad" title={t('booking.notSaved')} isAnswer>
                {refusal
                  ? refusalWords(refusal, { ...draft, appointments: week.lessons ?? [] }, school, t)
                  : problemWords(error, t)}
              </Notice>
            )}
            {theirs && (
              <StalePanel
                form={form}
                theirs={theirs}
                onKeepMine={() => void save(form, theirs)}
                onTakeTheirs={() => {
                  setForm(formOf(theirs))
                  take(theirs)
                }}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('action.cancel')}
              </Button>
              <Button type="submit" loading={isBusy} disabled={gap !== undefined || theirs !== undefined}>
                {t(seen ? 'action.save' : 'booking.submit')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dates>
    </Modal>
  )
}
