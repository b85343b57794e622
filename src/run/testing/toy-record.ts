/**
 * Shared by the toy scenarios on purpose: a test sees here who played at the same time. Real steps keep no state in a
 * module.
 */
export const seen = { holders: 0, most: 0, waiting: 0, mostWaiting: 0, looked: 0 };
