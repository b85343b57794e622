import { testConversation } from '../recorded/testing.js';

testConversation('owners');
testConversation('patch');
