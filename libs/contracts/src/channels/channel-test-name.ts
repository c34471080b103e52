/** The token name in the log rows of channel tests, as existing consoles know it; programs show it in the reader's language. */
export const CHANNEL_TEST_NAME = '模型测试'
