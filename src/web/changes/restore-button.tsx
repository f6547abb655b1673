import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Change } from '../../contract/change.ts'
import type { Student } from '../../contract/student.ts'
import { oneAppointment } from '../data/appointments.ts'
import { followNow } from '../data/following.ts'
import { restoring } from '../lessons/lesson-commands.ts'
import { lessonText } from '../lessons/lesson-texts.ts'
import { Button } from '../ui/button.tsx'
import { isConcurrentChange } from '../ui/problem-messages.ts'
import { nameOf, useSchool } from '../ui/school.tsx'
import { act, type Command } from '../ui/undo/steps.ts'
import { restoringStudent } from '../ui/undo/student-steps.ts'
import css from './change-entries.module.css'
import { isScrubbed } from './change-texts.ts'

type RestoreButtonProps = {
  readonly change: Change
  /** Whether a newer change, not shown, may have restored it. */
  readonly mayBeBack: boolean
}

/** Whether a change is a deletion that may be undone; `all` are newest first. */
export function isRestorable(change: Change, all: readonly Change[]): boolean {
  const { resource, resource_id: id, action } = change
  return (
    action === 'deleted' &&
    (resource === 'student' || resource === 'appointment') &&
    !isScrubbed(change) &&
    all.find((one) => one.resource_id === id) === change
  )
}

/** Undoes a deletion; shows nothing if it is undone already. */
export function RestoreButton({ change, mayBeBack }: RestoreButtonProps) {
  return change.resource === 'student' ? (
    <RestoreStudent change={change} />
  ) : (
    <RestoreLesson change={change} mayBeBack={mayBeBack} />
  )
}

function RestoreStudent({ change: { resource_id: id, before } }: { readonly change: Change }) {
  const { student } = useSchool()
  if (student.has(id)) return null
  // A deletion records all fields.
  return <RestoreDeleted student={{ ...before, id } as Student} />
}

/** Restores a deleted student and the lessons that still fit. */
export function RestoreDeleted({ student }: { readonly student: Student }) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const command = restoringStudent({ client, school, t }, student)
  return <Restore what={nameOf(student)} command={command} isSentence />
}

/** Restores a lesson; hidden until its student is restored. */
function RestoreLesson({ change: { resource_id: id, before }, mayBeBack }: RestoreButtonProps) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const { data, error } = useQuery({ ...oneAppointment(id), enabled: mayBeBack })
  const lesson = { ...before, id } as Appointment
  const hasStudent = lesson.student_id === null || school.student.has(lesson.student_id)
  if (data || !hasStudent || (mayBeBack && !isConcurrentChange(error))) return null
  const command = restoring({ client, school, t, appointments: [] }, lesson)
  return <Restore what={lessonText(lesson, school, t)} command={command} />
}

type RestoreProps = {
  readonly what: string
  readonly command: Command
  /** Whether the command's text is a whole sentence. */
  readonly isSentence?: boolean
}

function Restore({ what, command, isSentence = false }: RestoreProps) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    await act(command, {
      message: ({ stands = what }) => ({
        text: isSentence ? stands : t('restore.done', { what: stands }),
        label: t('restore.step', { what }),
      }),
      failed: (why) => t('restore.failed', { what, why }),
    })
    setBusy(false)
    void followNow(client)
  }
  return (
    <Button
      className={css.restore}
      icon="undo"
      isBusy={isBusy}
      aria-label={t('restore.subject', { what })}
      onClick={() => void restore()}
    >
      {t('restore.action')}
    </Button>
  )
}
