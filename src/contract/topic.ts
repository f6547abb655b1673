import { type Static, Type } from 'typebox'
import * as example from './examples-of-school.ts'
import * as field from './fields.ts'

const topic = {
  lesson_type_id: field.described(field.Id, 'The lesson type of the classes about it.'),
  topic: field.described(field.TopicName, 'The `topic` of these classes, such as Thema 3.'),
  name: field.nullable(Type.String({ description: 'The subject, as the law of the country names it.' })),
}

export const TopicSchema = field.closed(
  {
    ...topic,
    license_classes: Type.Array(Type.String(), {
      description: 'The classes that need it; empty if all do.',
    }),
  },
  { $id: 'Topic', description: "A topic of theory in the country's plan.", examples: [example.topic] },
)
export type Topic = Static<typeof TopicSchema>

export const StudentTopicSchema = field.closed(
  {
    ...topic,
    state: Type.Enum(['attended', 'planned', 'missing'], {
      description:
        'Whether the student was in a completed class about it, is among the attendees of a coming one, or neither.',
    }),
    start_at: field.described(
      field.nullable(field.LocalDateTime),
      'The start of the class that was attended or is planned; null if it is missing.',
    ),
    next: field.nullable(
      field.closed(
        {
          appointment_id: field.described(field.Id, 'The class.'),
          start_at: field.described(field.LocalDateTime, "Its start on the school's wall clock."),
        },
        { description: 'The next class with a free seat about a missing topic; null if none is planned.' },
      ),
    ),
  },
  {
    $id: 'StudentTopic',
    description: 'A topic that the class of a student requires.',
    examples: [example.studentTopic],
  },
)
export type StudentTopic = Static<typeof StudentTopicSchema>
