import { testConversation } from '../recorded/testing.js';

testConversation('list');
testConversation('watch');
