import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { dateOf, isLocalDateTime, type LocalDate } from '../../domain/local-time.ts'
import type { BookingStart } from '../booking/form.ts'
import { oneAppointment } from '../data/appointments.ts'
import { idIn } from '../ui/id-in.ts'
import { problemMessage } from '../ui/problem-messages.ts'
import { toast } from '../ui/toasts.ts'

type ProposedLessonProps = {
  /** The proposal of the address, as an assistant's link has it. */
  readonly proposal: string
  readonly date: LocalDate
  readonly onBook: (start: BookingStart) => void
  readonly onOpen: (lesson: string) => void
  /** Called once the proposal is open or cannot be opened, so that it leaves the address. */
  readonly onClose: () => void
}

/** Opens a proposal of an assistant: the form with its time, or the card of the lesson to cancel. Sends nothing. */
export default function ProposedLesson({ proposal, date, onBook, onOpen, onClose }: ProposedLessonProps) {
  const { t } = useTranslation()
  const asked = new URLSearchParams(proposal)
  const kind = asked.get('kind')
  const id = idIn(asked.get('appointment_id') ?? undefined)
  const moving = useQuery({ ...oneAppointment(id ?? ''), enabled: kind === 'move' && id !== undefined })
  const isOpened = useRef(false)
  useEffect(() => {
    if (isOpened.current) return
    const end = () => {
      isOpened.current = true
      onClose()
    }
    if (kind === 'book') {
      onBook(bookingIn(asked, date))
      end()
    } else if (kind === 'cancel' && id) {
      isOpened.current = true
      onOpen(id)
    } else if (kind === 'move' && moving.data) {
      onBook(moveIn(asked, moving.data))
      end()
    } else if (moving.error) {
      toast({ kind: 'problem', text: problemMessage(moving.error, t) })
      end()
    } else if (kind !== 'move' || id === undefined) end()
  })
  return null
}

function bookingIn(asked: URLSearchParams, date: LocalDate): BookingStart {
  const id = (name: string) => idIn(asked.get(name) ?? undefined)
  const [student_id, lesson_type_id] = [id('student_id'), id('lesson_type_id')]
  return {
    date,
    instructor_id: id('instructor_id'),
    ...(student_id && { student_id }),
    ...(lesson_type_id && { lesson_type_id }),
    ...timesIn(asked),
    isProposed: true,
  }
}

function moveIn(asked: URLSearchParams, editing: Appointment): BookingStart {
  const place = { instructor_id: idIn(asked.get('instructor_id') ?? undefined), ...timesIn(asked) }
  return { date: dateOf(place.start_at ?? editing.start_at), editing, ...place, isProposed: true }
}

function timesIn(asked: URLSearchParams): { readonly start_at?: string; readonly end_at?: string } {
  const [start_at, end_at] = [asked.get('start_at') ?? '', asked.get('end_at') ?? '']
  return isLocalDateTime(start_at) && isLocalDateTime(end_at) && start_at < end_at ? { start_at, end_at } : {}
}
