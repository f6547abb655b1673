import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { absenceLadderOf, absencePlanOf, type PlannedBody, recordAbsence } from '../data/absences.ts'
import { followNow } from '../data/following.ts'
import { ApiProblem } from '../data/send.ts'
import { untilCleared } from '../data/store.ts'
import { useSchool } from '../ui/school.tsx'
import { recordStep } from '../ui/undo/steps.ts'
import { type AbsenceAttempt, datesText, failureFor } from './absence-texts.ts'
import {
  type AbsenceDraftProps,
  type DecidedLesson,
  type SentAbsence,
  withoutNote,
  withoutStored,
} from './draft.ts'

export type RecordingState = ReturnType<typeof useRecording>

/**
 * Stores the absence with all decisions. The draft keeps the request until the service has confirmed or rejected it, so that a
 * retry has the same idempotency key. After a rejection the plan is refetched.
 */
export function useRecording({ cause, draft, onChange }: AbsenceDraftProps) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const [failed, setFailed] = useState<{ readonly error: unknown } & AbsenceAttempt>()
  const [sending, setSending] = useState<'first' | 'again'>()
  const planOf = ({ decisions: _, ...absence }: SentAbsence['absence']) =>
    absencePlanOf(cause.paths, withoutNote(absence))
  const send = async (sent: SentAbsence) => {
    setSending(draft.sent ? 'again' : 'first')
    setFailed(undefined)
    onChange(() => ({ sent }))
    const { absence, lessons } = sent
    const before = lessons.map(({ lesson }) => lesson)
    const isSameSession = untilCleared()
    try {
      const { set_id } = await recordAbsence(cause.paths, sent, { client })
      if (!isSameSession()) return
      const values = { name: cause.name, dates: datesText(draft.period, school) }
      recordStep(
        {
          text: t(`absencePage.of.${cause.kind}.recorded`, values),
          label: t(`absencePage.of.${cause.kind}.step`, values),
        },
        {
          context: { client, school, t },
          sets: [set_id],
          onTurned: () => onChange(withoutStored(set_id)),
        },
      )
      onChange(() => ({ sent: undefined, stored: { set_id, absence, lessons } }))
    } catch (error) {
      const attempt = { error, decisions: draft.decisions, lessons: before }
      if (!(error instanceof ApiProblem && error.isFinal)) return setFailed(attempt)
      const after = await client.fetchQuery({ ...planOf(absence), staleTime: 0 }).catch(() => undefined)
      const now = after?.appointments.map(({ appointment }) => appointment) ?? []
      void client.invalidateQueries({ queryKey: absenceLadderOf(cause.paths, {}).queryKey.slice(0, -1) })
      setFailed({ ...attempt, lessons: [...before, ...now] })
      onChange(() => ({ sent: undefined }))
    } finally {
      setSending(undefined)
    }
  }
  const begin = (absence: PlannedBody, lessons: readonly DecidedLesson[]) => {
    const decisions = lessons.map(({ decision }) => decision)
    const { version } = draft.change ?? {}
    return send({
      idempotency_key: crypto.randomUUID(),
      version,
      absence: { ...absence, decisions },
      lessons,
    })
  }
  const rethink = ({ absence }: SentAbsence) => {
    setFailed(undefined)
    onChange(() => ({ sent: undefined }))
    void client.invalidateQueries({ queryKey: planOf(absence).queryKey })
    // The absence may have been stored: if so, the page then lists it.
    void followNow(client)
  }
  // Computed on each render: the student of an added lesson may be loaded later.
  const failure = failed && failureFor(failed.error, failed, school, t)
  /** The request without a known outcome, unless its first attempt is in progress. */
  const unconfirmed = sending === 'first' ? undefined : draft.sent
  return { begin, send, rethink, failure, unconfirmed, isBusy: sending !== undefined }
}
