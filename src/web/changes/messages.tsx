import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Message } from '../../contract/message.ts'
import { DROP_REASONS } from '../../domain/messages.ts'
import { type MessagesQuery, messagesWhere } from '../data/messages.ts'
import { whenText } from '../lessons/lesson-texts.ts'
import { Button } from '../ui/button.tsx'
import { Details } from '../ui/details.tsx'
import { momentText } from '../ui/moment-text.ts'
import { nameOf, useSchool } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { toast } from '../ui/toasts.ts'
import entries from './change-entries.module.css'

type MessagesProps = {
  readonly about: MessagesQuery
  /** The lesson whose text can be copied, to be sent by hand. */
  readonly lesson?: Appointment
}

/** The messages about a lesson or to a student with their state, fetched when opened. */
export function Messages({ about, lesson }: MessagesProps) {
  const { t } = useTranslation()
  return (
    <Details title={t('messages.title')}>
      <MessageList about={about} />
      {lesson && <CopyText lesson={lesson} />}
    </Details>
  )
}

function MessageList({ about }: Pick<MessagesProps, 'about'>) {
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(messagesWhere(about))
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  if (data.length === 0) return <p>{t('messages.none')}</p>
  return (
    <ul className={entries.entries}>
      {data.map((message) => (
        <MessageLine key={message.id} message={message} />
      ))}
    </ul>
  )
}

function MessageLine({ message }: { readonly message: Message }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { kind, to, channel, state, reason, send_at, sent_at } = message
  const dropped = DROP_REASONS.find((one) => one === reason)
  const failure = state === 'failed' ? t('messages.refused') : t('messages.delayed')
  const why = reason && (dropped ? t(`messages.why.${dropped}`) : failure)
  const by = channel === 'push' || channel === 'call' ? t(`messages.channel.${channel}`) : to
  return (
    <li>
      <p>
        {t(`messages.kind.${kind}`)} · {t(`messages.state.${state}`)}
        {why && ` (${why})`}
      </p>
      <p>{[momentText(sent_at ?? send_at, school), by].filter(Boolean).join(' · ')}</p>
    </li>
  )
}

function CopyText({ lesson }: { readonly lesson: Appointment }) {
  const school = useSchool()
  const { t } = useTranslation()
  const student = school.student.get(lesson.student_id ?? '')
  const instructor = school.instructor.get(lesson.instructor_id)
  // Without HTTPS there is no clipboard.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!student || !clipboard) return null
  const values = {
    name: student.first_name,
    when: whenText(lesson, school),
    what: school.lessonType.get(lesson.lesson_type_id)?.name ?? lesson.title,
    who: instructor ? nameOf(instructor) : '',
  }
  const copy = async () => {
    const text = t(lesson.status === 'cancelled' ? 'messages.textCancelled' : 'messages.text', values)
    await clipboard.writeText(text)
    toast({ kind: 'done', text: t('messages.copied') })
  }
  return (
    <Button icon="copy" onClick={() => void copy()}>
      {t('messages.copy')}
    </Button>
  )
}
