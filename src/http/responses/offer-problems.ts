/** The problems of offers, a part of `PROBLEMS`. */
export const OFFER_PROBLEMS = {
  offer_gone: {
    status: 409,
    title: 'Offer gone',
    detail: 'The time is no longer free, or the offer has ended.',
  },
  too_many_offers: {
    status: 409,
    title: 'Too many offers',
    detail:
      'The student {student_id} got {offers} offers within seven days; at most {limit_offers} are allowed.',
  },
} as const
