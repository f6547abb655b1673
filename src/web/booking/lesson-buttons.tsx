import { Button, Group, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { LessonActions } from '../lessons/use-lesson-actions.ts'
import { Icon } from '../ui/icon.tsx'

type LessonButtonsProps = {
  readonly lesson: Appointment
  readonly actions: LessonActions
  readonly onEdit: (lesson: Appointment) => void
  readonly onClose: () => void
}

const STATUSES = ['planned', 'completed', 'no_show', 'cancelled'] as const
const WORDS = {
  planned: 'lesson.markPlanned',
  completed: 'lesson.markCompleted',
  no_show: 'lesson.markNoShow',
  cancelled: 'lesson.markCancelled',
} as const

export function LessonButtons({ lesson, actions, onEdit, onClose }: LessonButtonsProps) {
  const { t } = useTranslation()
  const mark = (status: Appointment['status']) =>
    actions.change(lesson, { status }, status === 'cancelled' ? 'cancelled' : 'changed')
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {STATUSES.map((status) => (
          <Button
            key={status}
            variant={status === lesson.status ? 'light' : 'default'}
            aria-pressed={status === lesson.status}
            size="sm"
            px="sm"
            flex="1 1 auto"
            onClick={() => status !== lesson.status && mark(status)}
          >
            {t(status === lesson.status ? `lesson.${status}` : WORDS[status])}
          </Button>
        ))}
      </Group>
      <Button leftSection={<Icon name="edit" />} onClick={() => onEdit(lesson)}>
        {t('action.edit')}
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="copy" />}
        onClick={() => {
          onClose()
          void actions.duplicate(lesson)
        }}
      >
        {t('lesson.duplicate')}
      </Button>
      <Button
        variant="subtle"
        color="red"
        leftSection={<Icon name="trash" />}
        onClick={() => {
          onClose()
          void actions.remove(lesson)
        }}
      >
        {t('action.delete')}
      </Button>
    </Stack>
  )
}
