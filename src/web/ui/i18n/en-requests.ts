import type { deFirstRequests, deRequests } from './de-requests.ts'

export const enFirstRequests: typeof deFirstRequests = {
  request: {
    title: 'Days off and hours',
    waiting_one: '{{count}} request is waiting for you',
    waiting_other: '{{count}} requests are waiting for you',
    decided: 'Somebody else has already decided this request.',
  },
}

export const enRequests: typeof deRequests = {
  request: {
    mine: 'My requests',
    none: 'You have no requests yet.',
    ask: 'Ask the office',
    daysOff: 'Days off',
    hours: 'Other hours',
    from: 'From',
    to: 'To',
    note: 'Note',
    send: 'Ask',
    sent: 'Your request is with the office.',
    withdraw: 'Withdraw',
    addTime: 'Add a time',
    removeTime: 'Remove the time: {{day}}',
    start: '{{day}}, start',
    end: '{{day}}, end',
    dayOff: 'off',
    open: 'open',
    accepted: 'accepted',
    declined: 'declined',
    withdrawn: 'withdrawn',
    answer: 'Reply from the office',
    accept: 'Accept',
    changes: 'Accepting changes',
    decline: 'Decline',
    affectedHint: 'Accepting leaves them where they are, until you move or cancel them.',
    decideLessons: 'Decide on each lesson',
    hasAccepted: 'Accepted: {{name}}, {{what}}',
    hasDeclined: 'Declined: {{name}}, {{what}}',
    toDecide_one: '{{count}} lesson still to decide',
    toDecide_other: '{{count}} lessons still to decide',
    decide: 'Decide',
  },
}
